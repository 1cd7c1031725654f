import type { OrderDraft } from "../domain/order.ts";

/** What the desk's commands need from the services; compose connects the two. Each resolves when its outcome is in the store. */
export type DeskPort = {
	submitOrder(draft: OrderDraft): Promise<void>;
	cancelOrder(orderId: string): Promise<void>;
	cancelAll(symbol: string): Promise<void>;
	/** Polls now what the symbol's panes show, for example after a switch. */
	refresh(): void;
	now(): number;
};
