/** The style of the page; colours have at least the contrast 4.5:1 in both schemes. */
export const STYLE = `:root{color-scheme:light dark;--text:light-dark(#191d22,#e5e8ec);--soft:light-dark(#58626e,#a4aeba);--ground:light-dark(#fff,#14171b);--panel:light-dark(#f5f6f8,#1d2228);--edge:light-dark(#d2d8df,#39414a);--mark:light-dark(#0b57d0,#8bb5f8);--red:light-dark(#a31414,#ff9c95);--redbg:light-dark(#fdebea,#44201e);--amber:light-dark(#774a00,#f4c86e);--amberbg:light-dark(#fff4db,#3c2f12);--green:light-dark(#1a612f,#87d69c);--greenbg:light-dark(#e5f5e9,#17331f);font:15px/1.5 system-ui,"Noto Sans CJK SC",sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text)}
header,main{max-width:72rem;margin:0 auto;padding:.5rem 1rem}
h1{font-size:1.4rem;line-height:1.25;margin:.5rem 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:1rem 0 .5rem}
h3{font-size:.875rem;margin:0 0 .25rem;color:var(--soft)}
p{margin:.25rem 0}
ul{margin:.25rem 0;padding-inline-start:1.25rem;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--ground);color:var(--mark);padding:.25rem .5rem}
.dim,.heads{color:var(--soft);font-size:.875rem}
.heads{list-style:none;padding:0}
code,pre{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.8125rem;overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:.75rem}
.card{background:var(--panel);border:1px solid var(--edge);border-radius:.5rem;padding:.625rem .875rem;overflow-wrap:anywhere}
.badge{display:inline-block;min-width:1.5rem;text-align:center;border-radius:1rem;border:1px solid currentColor;font-size:.8125rem}
.badge.good{color:var(--green);background:var(--greenbg)}
.badge.bad{color:var(--red);background:var(--redbg)}
.badge.odd{color:var(--amber);background:var(--amberbg)}
form{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end}
label{display:block;font-size:.8125rem;color:var(--soft)}
input,select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:.375rem;padding:.3rem .6rem;max-width:100%}
button{cursor:pointer}
button:disabled{color:var(--soft);border-style:dashed;cursor:default}
.wide{flex:1 1 12rem}
.wide input{width:100%}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem}
#rows{list-style:none;margin:.5rem 0 2rem;padding:0}
.row{border-top:1px solid var(--edge);border-inline-start:4px solid var(--edge);padding:.2rem .5rem}
.row.bad{border-inline-start-color:var(--red);background:var(--redbg)}
.row.odd{border-inline-start-color:var(--amber)}
.row.good{border-inline-start-color:var(--green)}
.line{display:inline-flex;flex-wrap:wrap;gap:0 .625rem;align-items:center;width:calc(100% - 1.25rem);vertical-align:top}
li>.line{margin-inline-start:1.125rem}
summary{cursor:pointer}
.time{font:.75rem ui-monospace,"DejaVu Sans Mono",monospace;color:var(--soft);min-width:12.5rem}
.bad .time{color:inherit}
.label{min-width:7rem;font-weight:600;font-size:.875rem}
.what{flex:1 1 14rem;overflow-wrap:anywhere}
.why{flex:0 1 auto;font-size:.875rem;overflow-wrap:anywhere}
.of{font-size:.8125rem;color:var(--soft);overflow-wrap:anywhere}
.bad .label,.bad .why{color:var(--red)}
.odd .label,.odd .why{color:var(--amber)}
.good .label,.good .why{color:var(--green)}
.quiet .what,.quiet .label{color:var(--soft)}
pre{margin:.375rem 0;padding:.5rem .75rem;background:var(--panel);color:var(--text);border:1px solid var(--edge);border-radius:.375rem;white-space:pre-wrap}
@media (max-width:40rem){.time{min-width:100%}.label{min-width:0}.what{flex-basis:100%}}
`;
