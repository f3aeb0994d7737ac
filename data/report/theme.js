const root = document.documentElement;

/* Light and dark: as the reader has chosen in the system, or on this page. */
function isDark() {
    return root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function prepareTheme() {
    const button = document.getElementById('theme');
    const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; button.setAttribute('aria-label', `Show the page ${isDark() ? 'light' : 'dark'}`); };
    button.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; name(); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name);
    button.hidden = false;
    name();
}
