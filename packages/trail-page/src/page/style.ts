import { STYLE as SHARED } from "@agentprint/page-style";

/** The page's style sheet, which is denser than those of other pages, because people compare the rows. */
export const STYLE: string = `${SHARED}
:root{font-size:.9375rem}
header,main{max-width:72rem;padding:.5rem 1rem}
h1{display:flex;gap:.5rem;align-items:center}
h3{font-size:var(--small);margin:0 0 .25rem;color:var(--soft)}
p{margin:.25rem 0}
ul{margin:.25rem 0;padding-inline-start:1.25rem}
.heads{list-style:none;padding:0;color:var(--soft);font-size:var(--small)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:.75rem}
.card{padding:.625rem .875rem;margin:0}
pre{background:var(--panel);color:var(--ink)}
.wide{flex:1 1 12rem}
.wide input{width:100%}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem}
#rows{list-style:none;margin:.5rem 0 2rem;padding:0}
.row{border-top:1px solid var(--edge);border-inline-start:4px solid var(--edge);padding:.2rem .5rem}
.row.bad{border-inline-start-color:var(--red);background:var(--red-ground)}
.row.odd{border-inline-start-color:var(--amber)}
.row.good{border-inline-start-color:var(--green)}
.line{display:inline-flex;flex-wrap:wrap;gap:0 .625rem;align-items:center;width:calc(100% - 1.25rem);vertical-align:top}
li>.line{margin-inline-start:1.125rem}
.time{font:.75rem var(--mono);color:var(--soft);min-width:12.5rem}
.bad .time{color:inherit}
.label{min-width:7rem;font-weight:600;font-size:var(--small)}
.what{flex:1 1 14rem}
.why{flex:0 1 auto;font-size:var(--small)}
.of{font-size:var(--tiny);color:var(--soft)}
.bad .label,.bad .why{color:var(--red)}
.odd .label,.odd .why{color:var(--amber)}
.good .label,.good .why{color:var(--green)}
.quiet .what,.quiet .label{color:var(--soft)}
@media (max-width:40rem){.time{min-width:100%}.label{min-width:0}.what{flex-basis:100%}}
`;
