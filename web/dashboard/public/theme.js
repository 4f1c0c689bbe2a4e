// Runs before the first paint, so that a chosen theme does not flash in the other one.
const chosen = localStorage.getItem('florin-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
