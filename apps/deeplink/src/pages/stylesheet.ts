/** The one stylesheet: system fonts, light and dark by the reader's setting, from phone to desktop. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f6f8, #10161c);
  --card: light-dark(#ffffff, #18212a);
  --line: light-dark(#d5dce3, #2f3c48);
  --text: light-dark(#16202a, #e8eef4);
  --muted: light-dark(#52616f, #9fb0c0);
  --accent: light-dark(#0b5fa5, #7cc0ff);
  --on-accent: light-dark(#ffffff, #08131d);
  --good: light-dark(#15693a, #7bd9a3);
  --bad: light-dark(#a3261f, #ff9d94);
  --notice: light-dark(#fdf3d7, #3a3116);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; z-index: 1; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .6rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; text-decoration: none; color: var(--text); margin-right: auto; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .6rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .6rem; }
p { margin: .2rem 0; }
.muted { color: var(--muted); font-weight: 400; }
.number { font-family: ui-monospace, monospace; font-variant-numeric: tabular-nums; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 1rem 0; }
.narrow { max-width: 26rem; margin: 8vh auto; }
.empty { text-align: center; padding: 2.5rem 1rem; }
input, button { font: inherit; min-height: 2.5rem; border-radius: .4rem; }
input { width: 100%; padding: .3rem .7rem; border: 1px solid var(--muted); background: var(--ground); color: var(--text); }
button { padding: .3rem 1rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; flex: none; }
button.quiet { background: none; color: var(--accent); }
label { display: block; margin-top: .8rem; }
.narrow button { margin-top: 1.2rem; width: 100%; }
.jump, .search, .account { display: flex; gap: .5rem; align-items: center; }
.jump { flex: 1 1 16rem; max-width: 30rem; }
.search { margin: .8rem 0; }
.problem { color: var(--bad); font-weight: 600; }
.notice { background: var(--notice); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem 1rem; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: .8rem 0; }
.chips a { padding: .2rem .8rem; min-height: 2rem; border: 1px solid var(--line); border-radius: 1rem; text-decoration: none; background: var(--card); }
.chips a[aria-current], .boxes a[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
.tag, .status { display: inline-block; padding: 0 .5rem; border: 1px solid var(--line); border-radius: .4rem; font-size: .875rem; }
.status { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.list { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); font-size: .9375rem; }
.list th, .list td { overflow-wrap: anywhere; text-align: left; vertical-align: top; padding: .6rem .7rem; border-top: 1px solid var(--line); font-weight: 400; }
.list thead th { color: var(--muted); border-top: 0; overflow-wrap: normal; }
.pages { display: flex; gap: 1rem; justify-content: center; margin: 1rem; }
.head { display: flex; flex-wrap: wrap; gap: 1rem 3rem; justify-content: space-between; }
.answer { text-align: right; flex: 1 1 18rem; }
.big { font-size: 1.6rem; font-weight: 700; line-height: 1.2; }
.small { font-weight: 600; }
.late { color: var(--bad); font-weight: 600; }
.early { color: var(--good); font-weight: 600; }
.boxes { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 1rem 0; padding: 0; }
.boxes a { display: grid; padding: .4rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); text-decoration: none; }
.columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem; align-items: start; }
.columns .card { margin: 0; }
.timeline { list-style: none; margin: 0; padding: 0 0 0 1.4rem; border-left: 2px solid var(--accent); }
.timeline li { position: relative; display: grid; gap: .1rem; padding: 0 0 1.1rem; }
.timeline li::before { content: ""; position: absolute; left: -1.85rem; top: .35rem; width: .75rem; height: .75rem; border-radius: 50%; background: var(--accent); }
.timeline li[aria-current]::before { box-shadow: 0 0 0 .25rem color-mix(in srgb, var(--accent) 35%, transparent); }
.timeline .expected::before { background: var(--card); border: 2px dashed var(--muted); }
dl { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: .6rem 1.5rem; }
dt { color: var(--muted); font-size: .875rem; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { overflow-x: auto; text-align: left; background: var(--ground); padding: .8rem; border-radius: .4rem; font-size: .875rem; }
details { margin-top: 1rem; }
@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .answer { text-align: left; }
  .list, .list tbody, .list tr, .list th, .list td { display: block; border: 0; }
  .list { background: none; }
  .list thead { display: none; }
  .list tr { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 .8rem; padding: .6rem .8rem; }
  .list th, .list td { padding: .15rem 0; }
  .list td::before { content: attr(data-label) ": "; color: var(--muted); }
}
@media (prefers-contrast: more) { :root { --muted: var(--text); --line: var(--text); } }
`;
