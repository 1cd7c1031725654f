// In which order the files of tests begin. What is waited for more than it is reckoned with goes first, and what is
// over soon goes last: a file of a minute that began last would leave all processors but one without work.
import { BaseSequencer } from 'vitest/node'
import { longest } from './longest-tests.mjs'

const projects = ['starting', 'apart', 'long', 'shared']
const places = new Map(longest.map((file, place) => [file, place]))

/** By its name without the folder of all tests, as `hub/hub` of `…/test/hub/hub.test.ts`. */
const placeOf = ({ moduleId }) => places.get(/\/test\/(.*)\.test\.tsx?$/.exec(moduleId)?.[1]) ?? longest.length

export default class LongestFirst extends BaseSequencer {
  /** Project by project, so that a process goes on with the next file of its own; in each the longest first. */
  async sort(files) {
    const sorted = await super.sort(files)
    const rank = ({ project }) => projects.indexOf(project.name)
    return sorted.toSorted((a, b) => rank(a) - rank(b) || placeOf(a) - placeOf(b))
  }
}
