// Before anything is painted, so that a chosen theme does not flash in another one's colours.
const theme = localStorage.getItem("theme")
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
