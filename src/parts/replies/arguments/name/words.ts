/** Names of tools as models know them from other agents, and what vendors put around a name. Data. */

/** One meaning a line, folded. A name is taken for the one declared tool of its line, and for none if two are declared. */
export const toolMeanings: readonly string[] = [
  'read readfile readfiles view viewfile cat open openfile getfile getfilecontent getfilecontents fileread readtextfile fsread showfile',
  'write writefile writetofile createfile create savefile filewrite fswrite newfile putfile writenewfile createnewfile',
  'edit editfile strreplace strreplaceeditor strreplacebasededittool replaceinfile searchreplace searchandreplace replace applyedit fileedit multiedit modifyfile updatefile replacestringinfile insertedit editexistingfile',
  'applypatch patch patchfile applydiff',
  'bash shell sh zsh terminal executecommand runcommand runshellcommand executebash executeshellcommand executeterminal runterminalcmd runterminalcommand runinterminal exec execcommand shellexec runbash bashcommand shellcommand localshell containerexec execute command run commandexec systemrun',
  'list ls listdir listdirectory listfiles listfolder dir readdir readdirectory listfilesindirectory viewdirectory',
  'glob findfiles filesearch find globfiles globsearch searchfilesbyname fileglobsearch findfile',
  'grep search searchtext ripgrep rg grepsearch searchfilecontent searchinfiles searchfiles searchcode contentsearch regexsearch textsearch grepfiles findinfiles',
  'todo todos todowrite updateplan writetodos todolist managetodolist updatetodolist updatetodos plan settodos',
  'fetch webfetch fetchurl urlfetch readurl browseurl fetchwebpage getwebpage openurl httpget',
  'websearch searchweb googlesearch internetsearch googlewebsearch',
  'task agent subagent spawnagent delegate dispatchagent runsubagent newtask',
  'ask askuser question askquestion askfollowupquestion askuserquestion askhuman',
  'skill useskill loadskill',
  'memory remember savememory updatememory',
];

/** Words around a name that say nothing about which tool is meant. */
export const vendorWords: ReadonlySet<string> = new Set(
  'functions function func fn tool tools toolcall toolcalls call calls invoke mcp default api defaultapi namespace native builtin google gemini openai anthropic antml claude qwen kimi deepseek mistral index id name assistant user system commentary analysis final channel message start constrain json to recipient smew repobrowser container'.split(
    ' ',
  ),
);
