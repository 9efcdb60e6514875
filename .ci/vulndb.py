"""Makes of a folder of OSV entries the list that govulncheck reads: https://go.dev/doc/security/vuln/database#api"""

import json
import pathlib
import shutil
import sys

source, target = map(pathlib.Path, sys.argv[1:])
making = target.with_suffix(".making")
shutil.rmtree(making, ignore_errors=True)
(making / "ID").mkdir(parents=True)
(making / "index").mkdir()
modules, ids, when = {}, [], "2000-01-01T00:00:00Z"
for path in sorted(source.glob("*.json")):
    entry = json.loads(path.read_text())
    entry["modified"] = when  # the entries have no time
    (making / "ID" / path.name).write_text(json.dumps(entry))
    ids.append({"id": entry["id"], "modified": when, "aliases": entry.get("aliases", [])})
    for name in {affected["package"]["name"] for affected in entry["affected"]}:
        modules.setdefault(name, []).append({"id": entry["id"], "modified": when})
if not ids:
    sys.exit(f"there are no entries in {source}")
for name, content in {
    "db": {"modified": when},
    "modules": [{"path": name, "vulns": modules[name]} for name in sorted(modules)],
    "vulns": ids,
}.items():
    (making / "index" / f"{name}.json").write_text(json.dumps(content))
making.rename(target)
