(function(){"use strict";
var tools=document.querySelector(".tools");if(!tools)tools=document.createElement("div");
var box=tools.querySelector("input"),pick=tools.querySelector("select"),hits=tools.querySelector("output");
var bodies=Array.prototype.slice.call(document.querySelectorAll(".cases tbody"));
var groups=Array.prototype.slice.call(document.querySelectorAll(".group"));
function filter(){var words=box.value.toLowerCase().split(/\s+/).filter(Boolean),shown=0;
 groups.forEach(function(group){var off=pick.value&&group.id!=="class-"+pick.value,any=false;
  group.querySelectorAll(".cases tbody").forEach(function(body){
   if(body.t===undefined)body.t=body.textContent.toLowerCase();
   var fits=!off&&words.every(function(w){return body.t.indexOf(w)>=0});
   body.hidden=!fits;if(fits){any=true;shown++}});
  group.hidden=off||(words.length>0&&!any)});
 hits.textContent=words.length||pick.value?String(shown):""}
if(box&&bodies.length){tools.hidden=false;var timer;
 box.addEventListener("input",function(){clearTimeout(timer);timer=setTimeout(filter,120)});pick.addEventListener("change",filter)}
function value(body,column){var cell=body.rows[0].cells[column];return cell?(cell.getAttribute("data-v")||cell.textContent.trim()):""}
function sort(head){var table=head.closest("table"),column=head.cellIndex,down=head.getAttribute("aria-sort")==="ascending";
 table.querySelectorAll("th").forEach(function(h){h.removeAttribute("aria-sort")});
 head.setAttribute("aria-sort",down?"descending":"ascending");
 var rows=Array.prototype.slice.call(table.tBodies);
 var number=head.getAttribute("data-s")==="n";
 rows.map(function(body,i){return{body:body,i:i,v:value(body,column)}}).sort(function(a,b){
  var c=number?(parseFloat(a.v)||0)-(parseFloat(b.v)||0):a.v.localeCompare(b.v);return(down?-c:c)||a.i-b.i
 }).forEach(function(r){table.appendChild(r.body)})}
document.querySelectorAll("th[data-s]").forEach(function(head){head.tabIndex=0;
 head.addEventListener("click",function(){sort(head)});
 head.addEventListener("keydown",function(e){if(e.key==="Enter"||e.key===" "){e.preventDefault();sort(head)}})});
window.addEventListener("beforeprint",function(){document.querySelectorAll("details:not(.far)").forEach(function(d){d.open=true})});
})();
