/** Text of a terminal without its colors and weights. */
export const withoutStyles = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '')
