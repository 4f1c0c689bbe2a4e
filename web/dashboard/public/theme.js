// Runs before the first paint, so the page never flashes in the wrong theme.
const chosen = localStorage.getItem('florin-theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
