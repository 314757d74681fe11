# SPDX-License-Identifier: GPL-3.0-or-later
# Reads file names from stdin; see check.
function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
function complain(message) { printf "%s:%d: %s\n", file, line, message; wrong++ }
function have(list, word) { return index(" " list " ", " " word " ") > 0 }

# The longest folder of rules.txt that holds the path; "" for tests and the like.
function areaOf(path,    name, best) {
  best = ""
  for (name in mayInclude)
    if (index(path, name "/") == 1 && length(name) > length(best)) best = name
  return best
}

function libraryOf(header,    i) {
  for (i = 1; i <= libraryCount; i++)
    if (header ~ libraryPattern[i]) return libraryName[i]
  return ""
}

function exists(path,    text, got) {
  if (path in known) return known[path]
  got = (getline text < path)
  close(path)
  return known[path] = (got >= 0)
}

function folderOf(path) { sub(/[^\/]*$/, "", path); return path }

function checkProject(path,    target) {
  if (path ~ /\.moc$/) return
  if (area == "" && exists(folderOf(file) path)) return   # tests share helpers within a folder
  if (!exists(path)) { complain("\"" path "\" does not exist (paths start at the root of the project)"); return }
  target = areaOf(path)
  if (area != "" && !have(mayInclude[area], target))
    complain(area " must not include " (target == "" ? "tests" : target) " (\"" path "\")")
}

function checkThirdParty(header,    library, allowed) {
  library = libraryOf(header)
  if (library == "") { if (area != "") complain("<" header "> is of no library that libraries.txt names"); return }
  if (area == "" || library == "std" || library == "system") return
  if (library == "files") {
    if (area == "core") complain("core opens no files (<" header ">)")
    return
  }
  allowed = file ~ /\.h$/ ? headerLibraries[area] : libraryList[area]
  if (have(allowed, library) || (library == "nlohmann-fwd" && have(allowed, "nlohmann"))) return
  complain((file ~ /\.h$/ ? "headers of " : "") area " must not include " library " (<" header ">)")
}

function checkInclude(text) {
  sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
  if (substr(text, 1, 1) == "\"") { sub(/^"/, "", text); sub(/".*/, "", text); checkProject(text) }
  else if (substr(text, 1, 1) == "<") { sub(/^</, "", text); sub(/>.*/, "", text); checkThirdParty(text) }
}

# A header is shown to compile by itself by the source of its name, which includes it before anything else.
function checkFirst(text,    own) {
  own = file
  if (area == "" || !sub(/\.cpp$/, ".h", own) || !exists(own)) return
  if (text !~ "^#include \"" own "\"") complain("the first include has to be \"" own "\"")
}

function checkFile(    text, guarded, includes) {
  line = 0
  guarded = 0
  includes = 0
  area = areaOf(file)
  while ((getline text < file) > 0) {
    line++
    if (line == 1 && text != "// SPDX-License-Identifier: GPL-3.0-or-later")
      complain("the first line is not the licence (// SPDX-License-Identifier: GPL-3.0-or-later)")
    if (text ~ /^#pragma once/) guarded = 1
    if (text ~ /^[ \t]*#[ \t]*include/) {
      if (!includes++) checkFirst(text)
      checkInclude(text)
    }
    if (area == "core" && text ~ /system_clock::now|[^a-zA-Z_]time\((nullptr|NULL|0|&)/)
      complain("core reads no wall clock: the time is handed in")
  }
  close(file)
  if (file ~ /\.h$/ && !guarded) complain("a header without #pragma once")
  if (line > 600) complain(line " lines; 600 is the limit")
}

BEGIN {
  while ((getline text < rules) > 0) {
    if (text ~ /^[ \t]*(#|$)/) continue
    split(text, part, "|")
    name = trim(part[1])
    mayInclude[name] = trim(part[2])
    libraryList[name] = trim(part[3])
    headerLibraries[name] = trim(part[4])
    areas++
  }
  while ((getline text < libraries) > 0) {
    if (text ~ /^[ \t]*(#|$)/) continue
    cut = index(text, "|")
    libraryName[++libraryCount] = trim(substr(text, 1, cut - 1))
    libraryPattern[libraryCount] = trim(substr(text, cut + 1))
  }
  if (!areas || !libraryCount) { print "layers: rules.txt or libraries.txt can't be read"; wrong = 1; exit 1 }
}
{ file = $0; checkFile(); files++ }
END {
  if (!wrong) printf "   %d files, all arrows right\n", files
  exit wrong ? 1 : 0
}
