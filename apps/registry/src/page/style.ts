import { STYLE as SHARED } from "@agentprint/page-style";

/** The style sheet of every page. */
export const STYLE = `${SHARED}
header,main,footer{max-width:56rem}
header{display:flex;gap:1rem;justify-content:space-between;align-items:center;border-bottom:1px solid var(--edge)}
footer{border-top:1px solid var(--edge);margin-top:2rem}
.home{display:inline-flex;gap:.5rem;align-items:center}
h1{margin:.5rem 0 1rem}
h3{margin:0}
pre{overflow:auto;max-height:20rem}
table{width:100%}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--edge)}
th{font-size:var(--small);color:var(--soft)}
.timeline{list-style:none;margin:1rem 0;padding:0 0 0 1.25rem;border-inline-start:2px solid var(--edge)}
.timeline>li{position:relative;margin:0 0 1rem}
.timeline>li::before{content:"";position:absolute;left:-1.7rem;top:1.1rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--green);border:2px solid var(--ground)}
.timeline>li.bad::before{background:var(--red)}
.timeline>li.odd::before{background:var(--amber)}
.row{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center}
.badge{padding:0 .5rem}
.bad>.row .verdict{color:var(--red);background:var(--red-ground)}
.note{margin:.5rem 0}
form{margin:.5rem 0 1rem}
input[type=number]{width:7rem}
button{background:var(--accent);color:var(--ground);border-color:var(--accent)}
.wide{flex:1 1 100%}
.wide input,.wide textarea{width:100%}
@media (max-width:36rem){table.stack,table.stack tbody,table.stack tr,table.stack td{display:block}table.stack thead{position:absolute;left:-99rem}table.stack td{border:0;padding:.125rem 0}table.stack tr{border-bottom:1px solid var(--edge);padding:.5rem 0}}
`;
