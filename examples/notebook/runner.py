import contextlib, io, json, sys

names, printed = {"__name__": "__main__"}, []
for source in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(source, names)
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
