/** Stands for `msgpackr` in the page's bundle. */
export class Packr {}
export class Unpackr {}
