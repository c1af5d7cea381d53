function all(selector,root){return Array.from((root||document).querySelectorAll(selector))}
all('th[data-column]').forEach(function(th){
  var table=th.closest('table'),k=+th.dataset.column,button=document.createElement('button');
  button.type='button';
  while(th.firstChild)button.appendChild(th.firstChild);
  th.appendChild(button);
  button.addEventListener('click',function(){
    var down=th.getAttribute('aria-sort')=='ascending',body=table.tBodies[0];
    all('th',table).forEach(function(other){other.removeAttribute('aria-sort')});
    th.setAttribute('aria-sort',down?'descending':'ascending');
    function key(row){var t=row.cells[k].textContent.trim(),v=parseFloat(t);return isNaN(v)?t:v}
    function order(a,b){
      var x=key(a),y=key(b),words=typeof x+typeof y;
      if(words=='numbernumber')return x-y;
      if(words=='stringstring')return x==y?0:y>x?-1:1;
      return typeof x=='number'?-1:1;
    }
    Array.from(body.rows).sort(function(a,b){return down?order(b,a):order(a,b)})
      .forEach(function(row){body.appendChild(row)});
    table.classList.add('sorted');
  });
});
function reveal(){
  var e=location.hash.length>1?document.getElementById(decodeURIComponent(location.hash.slice(1))):null;
  if(!e)return;
  for(var d=e.closest('details');d;d=d.parentElement.closest('details'))d.open=true;
  if(e.closest('details'))e.scrollIntoView({block:e.matches('details')?'start':'center'});
}
addEventListener('hashchange',reveal);
reveal();
addEventListener('beforeprint',function(){all('details.study').forEach(function(d){d.open=true})});
var box=document.querySelector('.filter'),studies=all('details.study'),chosen={};
function values(name){
  var found=[];
  all('[data-'+name+']').forEach(function(e){if(found.indexOf(e.dataset[name])==-1)found.push(e.dataset[name])});
  return found;
}
function apply(){
  var shown=0,runs=0;
  studies.forEach(function(study){
    var rows=all('tr[data-setting]',study),hit=0;
    rows.forEach(function(row){
      var no=['setting','arm'].some(function(n){return chosen[n]?n in row.dataset?row.dataset[n]!=chosen[n]:false:false});
      row.hidden=no;
      if(!no)if(row.dataset.arm)hit++;
    });
    study.hidden=hit==0?true:chosen.network?study.dataset.network!=chosen.network:false;
    if(!study.hidden)shown++;
  });
  all('table.cells tr[data-arm]').forEach(function(row){
    row.hidden=['network','arm'].some(function(n){return chosen[n]?row.dataset[n]!=chosen[n]:false});
    if(!row.hidden)runs++;
  });
  box.lastChild.textContent=shown+' of '+studies.length+' studies';
}
[['network','Network'],['setting','Setting'],['arm','Target']].forEach(function(pair){
  var list=values(pair[0]),label=document.createElement('label'),select=document.createElement('select');
  if(!(list.length>1))return;
  [''].concat(list).forEach(function(v){
    var option=document.createElement('option');
    option.value=v;option.textContent=v||'all';select.appendChild(option);
  });
  select.addEventListener('change',function(){chosen[pair[0]]=select.value;apply()});
  label.textContent=pair[1];label.appendChild(select);box.appendChild(label);box.hidden=false;
});
var said=document.createElement('span');
said.setAttribute('aria-live','polite');said.className='quiet';box.appendChild(said);
var tip=document.createElement('div');
tip.id='tip';tip.hidden=true;tip.setAttribute('aria-hidden','true');document.body.appendChild(tip);
function runOf(point){
  var run=point.closest('.card')?/runs? ([0-9a-f]{8})/.exec(point.dataset.tip):null;
  return run?document.querySelector('[id^="c-'+run[1]+'"]'):null;
}
all('.tip').forEach(function(point){
  var title=point.querySelector('title');
  point.dataset.tip=title.textContent;title.remove();
  point.setAttribute('aria-label',point.dataset.tip);
  point.setAttribute('tabindex',-1);
  if(runOf(point))point.setAttribute('role','link');
});
all('.card svg').forEach(function(svg){
  var points=all('.tip',svg);
  if(points.length==0)return;
  points[0].setAttribute('tabindex',0);
  svg.setAttribute('aria-label',svg.getAttribute('aria-label')+'; arrow keys lead through '+points.length+' points');
  svg.addEventListener('keydown',function(e){
    var at=points.indexOf(e.target),end=points.length-1;
    var to={ArrowRight:at+1,ArrowDown:at+1,ArrowLeft:at-1,ArrowUp:at-1,Home:0,End:end}[e.key];
    if(e.ctrlKey||e.altKey||e.metaKey||at==-1)return;
    if(e.key=='Enter')lead(e.target);
    if(to===undefined)return;
    e.preventDefault();
    points[Math.max(0,Math.min(to,end))].focus();
  });
  svg.addEventListener('focusin',function(e){
    points.forEach(function(point){point.setAttribute('tabindex',point==e.target?0:-1)});
  });
});
function place(point){
  var r=point.getBoundingClientRect();
  tip.style.left=Math.max(4,Math.min(r.left,innerWidth-tip.offsetWidth-4))+'px';
  tip.style.top=(r.top>tip.offsetHeight+8?r.top-tip.offsetHeight-6:r.bottom+6)+'px';
}
function show(e){
  var point=e.target.closest?e.target.closest('.tip'):null;
  tip.hidden=!point;
  if(!point)return;
  tip.textContent=point.dataset.tip;
  place(point);
}
function lead(point){
  var row=runOf(point);
  if(row)location.hash=row.id;
}
addEventListener('pointerover',show);
addEventListener('focusin',show);
addEventListener('focusout',function(){tip.hidden=true});
addEventListener('keydown',function(e){if(e.key=='Escape')tip.hidden=true});
addEventListener('scroll',function(){
  var point=document.activeElement;
  if(point.matches('.tip')?tip.textContent==point.dataset.tip:false)place(point);
  else tip.hidden=true;
},{passive:true});
addEventListener('click',function(e){
  var point=e.target.closest('.card .tip');
  if(point)lead(point);
});
