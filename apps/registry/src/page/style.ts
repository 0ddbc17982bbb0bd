/** The style of every page; colours have at least the contrast 4.5:1 in both schemes. */
export const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#191d22,#e5e8ec);--dim:light-dark(#58626e,#a4aeba);--page:light-dark(#fff,#14171b);--card:light-dark(#f5f6f8,#1d2228);--line:light-dark(#d2d8df,#39414a);--link:light-dark(#0b57d0,#8bb5f8);--bad:light-dark(#a31414,#ff9c95);--badbg:light-dark(#fdebea,#44201e);--mid:light-dark(#774a00,#f4c86e);--midbg:light-dark(#fff4db,#3c2f12);--good:light-dark(#1a612f,#87d69c);--goodbg:light-dark(#e5f5e9,#17331f);font:16px/1.5 system-ui,"Noto Sans CJK SC",sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink)}
header,main,footer{max-width:56rem;margin:0 auto;padding:.75rem 1rem}
header{display:flex;gap:1rem;justify-content:space-between;align-items:center;border-bottom:1px solid var(--line)}
footer{border-top:1px solid var(--line);margin-top:2rem}
.home{display:inline-flex;gap:.5rem;align-items:center}
.mark{flex:none}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
p{margin:.25rem 0 .75rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.25rem .5rem}
code,pre,textarea{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.875em}
code,bdi{overflow-wrap:anywhere}
pre{margin:.25rem 0;padding:.5rem .75rem;background:var(--page);border:1px solid var(--line);border-radius:.375rem;overflow:auto;max-height:20rem;white-space:pre-wrap;overflow-wrap:anywhere}
dl{margin:.5rem 0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:0 .75rem}
.sides>div{min-width:0}
del{background:var(--badbg);color:var(--bad);text-decoration:none}
ins{background:var(--goodbg);color:var(--good);text-decoration:none}
del::before{content:"− "}
ins::before{content:"+ "}
dt{color:var(--dim);font-size:.875rem}
dd{margin:0 0 .5rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-size:.875rem;color:var(--dim)}
.timeline{list-style:none;margin:1rem 0;padding:0 0 0 1.25rem;border-inline-start:2px solid var(--line)}
.timeline>li{position:relative;margin:0 0 1rem}
.timeline>li::before{content:"";position:absolute;left:-1.7rem;top:1.1rem;width:.75rem;height:.75rem;border-radius:50%;background:var(--good);border:2px solid var(--page)}
.timeline>li.bad::before{background:var(--bad)}
.card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;margin:0 0 1rem}
.plain{list-style:none;margin:0;padding:0}
.row{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center}
.dim{color:var(--dim);font-size:.875rem}
.badge{display:inline-block;padding:0 .5rem;border-radius:1rem;font-size:.8125rem;border:1px solid currentColor}
.high,.bad>.row .verdict,.badge.bad{color:var(--bad);background:var(--badbg)}
.medium,.badge.mid{color:var(--mid);background:var(--midbg)}
.low,.badge.good{color:var(--good);background:var(--goodbg)}
.note{border-inline-start:4px solid var(--mid);background:var(--midbg);padding:.5rem .75rem;margin:.5rem 0}
form{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end;margin:.5rem 0 1rem}
label{display:block;font-size:.875rem;color:var(--dim)}
input,select,button,textarea{font:inherit;color:inherit;background:var(--page);border:1px solid var(--dim);border-radius:.375rem;padding:.375rem .5rem;max-width:100%}
input[type=number]{width:7rem}
button{background:var(--link);color:var(--page);border-color:var(--link);padding:.375rem 1rem;cursor:pointer}
.wide{flex:1 1 100%}
.wide input,.wide textarea{width:100%}
@media (max-width:36rem){table.stack,table.stack tbody,table.stack tr,table.stack td{display:block}table.stack thead{position:absolute;left:-99rem}table.stack td{border:0;padding:.125rem 0}table.stack tr{border-bottom:1px solid var(--line);padding:.5rem 0}}
`;
