"""Shared by all figures: a picture as SVG text. Labels stay text; colours follow the reader's light or dark scheme, on a background of their own."""
import html

# name: (light, dark)
COLOURS = {
    "paper": ("#ffffff", "#1b1f24"), "ink": ("#1f2933", "#e6edf3"), "line": ("#52606d", "#9aa7b4"), "faint": ("#f1f3f5", "#262c33"),
    "core": ("#d7e8fa", "#1d3b5c"), "front": ("#fdeecb", "#4d3d12"), "unit": ("#dff2df", "#1f4529"), "memory": ("#ece4f7", "#3b2f57"),
    "net": ("#fbdcd6", "#5a2b25"), "host": ("#e4e7eb", "#343b43"), "request": ("#c2410c", "#fb923c"), "answer": ("#1d4ed8", "#7aa7ff"),
}
STROKES = ("line", "request", "answer")


def style():
    """Every colour as a class, once for light and once for dark."""
    def rules(scheme):
        fills = [f".{name}{{fill:{both[scheme]}}}" for name, both in COLOURS.items()]
        return "".join(fills + [f".s-{name}{{stroke:{COLOURS[name][scheme]}}}" for name in STROKES])
    return f"<style>{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}</style>"


class Picture:
    """Collects shapes; svg() is the file."""

    def __init__(self, width, height, title):
        self.size, self.title, self.out, self.heads = (width, height), title, [], set()

    def text(self, x, y, words, size=12, weight="normal", anchor="middle", mono=False, colour="ink"):
        family = ' font-family="monospace"' if mono else ""
        bold = f' font-weight="{weight}"' if weight != "normal" else ""
        kept = html.escape(words).replace("  ", "\u00a0 ")  # SVG drops repeated spaces
        self.out.append(f'<text class="{colour}" x="{x:g}" y="{y:g}" font-size="{size}"{bold} text-anchor="{anchor}"{family}>{kept}</text>')

    def lines(self, x, y, lines, size=11, step=15, **how):
        """Text below text, from the left edge unless told otherwise."""
        for i, line in enumerate(lines):
            self.text(x, y + i * step, line, size, anchor=how.get("anchor", "start"), mono=how.get("mono", False))

    def rect(self, x, y, w, h, kind, radius=0, width=1.0):
        self.out.append(f'<rect class="{kind} s-line" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{radius}" stroke-width="{width:g}"/>')

    def frame(self, x, y, w, h, label, kind="faint"):
        self.rect(x, y, w, h, kind, 8, 1.4)
        self.text(x + 12, y + 20, label, 13, "bold", "start")

    def box(self, x, y, w, h, kind, *lines, size=12):
        """A block: its name in bold, what else it is below."""
        self.rect(x, y, w, h, kind, 4)
        top = y + h / 2 - (len(lines) - 1) * (size + 2) / 2 + size / 3
        for i, line in enumerate(lines):
            self.text(x + w / 2, round(top + i * (size + 2), 1), line, size, "bold" if i == 0 else "normal")

    def path(self, points, stroke="line", both=False, width=1.4, head=True):
        """A line through the points with a head at its end."""
        self.heads.add(stroke)
        ends = (f' marker-end="url(#{stroke})"' if head else "") + (f' marker-start="url(#{stroke})"' if both else "")
        self.out.append(f'<path class="s-{stroke}" fill="none" stroke-width="{width:g}"{ends} d="M' + "L".join(f"{x:g} {y:g}" for x, y in points) + '"/>')

    def arrow(self, x1, y1, x2, y2, stroke="line", both=False, width=1.4):
        self.path([(x1, y1), (x2, y2)], stroke, both, width)

    def svg(self):
        width, height = self.size
        heads = "".join(f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto-start-reverse">'
                        f'<path class="{name}" d="M0 0L8 4L0 8z"/></marker>' for name in sorted(self.heads))
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">\n'
                f'<title>{html.escape(self.title)}</title>{style()}<defs>{heads}</defs>\n<rect class="paper" width="{width}" height="{height}" rx="6"/>\n')
        return head + "\n".join(self.out) + "\n</svg>\n"
