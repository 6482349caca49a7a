/** Style of the page on which customers pay, in light and dark. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
	--page: light-dark(#eef1f6, #0e131b); --card: light-dark(#fff, #1a2230); --line: light-dark(#cdd4df, #364154);
	--text: light-dark(#16202e, #e8edf4); --soft: light-dark(#4b586a, #a6b2c3); --main: light-dark(#1d4ed8, #93b4ff);
	--on-main: light-dark(#fff, #0b1530) }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px; background: var(--page); color: var(--text) }
main { max-width: 420px; margin: 0 auto; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
p { margin: 0; overflow-wrap: anywhere }
.brand { margin-bottom: 20px; font-weight: 700; letter-spacing: -0.01em }
.brand span { margin-left: 6px; padding: 2px 8px; border: 1px solid var(--line); border-radius: 999px; color: var(--soft); font-size: 13px; font-weight: 400 }
header { margin-bottom: 24px; padding-bottom: 20px; border-bottom: 1px solid var(--line); color: var(--soft) }
.amount { margin: 4px 0; color: var(--text); font-size: 36px; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.note { margin-bottom: 20px; padding: 12px; border: 1px solid var(--line); border-radius: 10px }
button, .button { display: block; width: 100%; min-height: 48px; margin-bottom: 12px; padding: 11px 16px; border: 1px solid var(--line);
	border-radius: 10px; background: transparent; color: var(--text); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.main { border-color: var(--main); background: var(--main); color: var(--on-main) }
button:hover, .button:hover { border-color: var(--main) }
button:focus-visible, .button:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
.rest { display: flex; gap: 12px }
.quiet { border-color: transparent; color: var(--soft); font-weight: 400 }
footer { margin-top: 8px; color: var(--soft); font-size: 13px; text-align: center }
`
