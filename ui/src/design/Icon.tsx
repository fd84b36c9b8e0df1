const paths = {
  back: "M10 3 5 8l5 5",
  check: "m3 8.5 3.2 3L13 4.5",
  close: "m4 4 8 8m0-8-8 8",
  plus: "M8 3v10M3 8h10",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.7-1.3L14 14",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5m-5 0 .6 8.5h5.8l.6-8.5M6.8 7v4M9.2 7v4",
  tasks: "M2.5 4h1m2.5 0h7.5m-11 4h1m2.5 0h7.5m-11 4h1m2.5 0h7.5",
  timeline: "M2.5 4h5M5 8h6m-2.5 4h5",
  sessions: "M2.5 3.5h11v7h-6L4.5 13v-2.5h-2Z",
  warning: "M8 2.5 14.2 13H1.8Zm0 4v3m0 1.7v.1",
  archive: "M2.5 3.5h11v3h-11Zm1 3v6.5h9V6.500M6.500 9h3",
  edit: "m3 13 .6-2.600 7-7 2 2-7 7Z",
  external: "M6 3.500H3v9.500h9.500V10M9 3h4v4m0-4L7.500 8.500",
  chevron: "m4.500 6.500 3.500 3.500 3.500-3.500"
} as const

/** A line icon that says nothing to screen readers: what it stands for is written beside it or in a label. */
export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
