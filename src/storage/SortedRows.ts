/**
 * Values in order, found by binary search.
 *
 * @since 0.1.0
 */

/**
 * A mutable sorted list without equal members. Adding and deleting move memory but compare only `log n` members.
 *
 * @since 0.1.0
 * @category models
 */
export class SortedRows<A> {
  private readonly members: Array<A>
  private readonly compare: (a: A, b: A) => number

  constructor(compare: (a: A, b: A) => number, members: ReadonlyArray<A> = []) {
    this.compare = compare
    this.members = members.toSorted(compare)
  }

  get size(): number {
    return this.members.length
  }

  add(member: A): void {
    const last = this.members.at(-1)
    // rows mostly come in order
    if (last === undefined || this.compare(last, member) < 0) this.members.push(member)
    else
      this.members.splice(
        this.countWhile((other) => this.compare(other, member) < 0),
        0,
        member
      )
  }

  delete(member: A): void {
    const index = this.countWhile((other) => this.compare(other, member) < 0)
    if (this.members[index] === member) this.members.splice(index, 1)
  }

  /** The members from the first one that is not `before`, at most `limit`; `before` holds for a prefix of the order. */
  from(before: (member: A) => boolean, limit = Number.POSITIVE_INFINITY): ReadonlyArray<A> {
    const start = this.countWhile(before)
    return this.members.slice(start, start + limit)
  }

  /** The longest prefix of which `within` holds. */
  prefix(within: (member: A) => boolean): ReadonlyArray<A> {
    return this.members.slice(0, this.countWhile(within))
  }

  private countWhile(holds: (member: A) => boolean): number {
    let low = 0
    let high = this.members.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(this.members[middle]!)) low = middle + 1
      else high = middle
    }
    return low
  }
}
