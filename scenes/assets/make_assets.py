#!/usr/bin/env python3
"""Writes the mesh, height-field and texture files of the scenes into its own folder.

Everything here is computed, so that each file can be made again and read as what it is. Nothing beyond the
standard library is used.
"""
import math
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent


def png(path, width, height, pixel, channels=3):
    """8-bit PNG; pixel(x, y) gives a tuple of channels values."""
    colour = {1: 0, 3: 2, 4: 6}[channels]
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def rock():
    """An icosahedron, split once, with every vertex pushed in or out by a smooth field."""
    g = (1 + math.sqrt(5)) / 2
    vertices = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
                (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
             (8, 6, 7), (9, 8, 1)]
    middle = {}

    def between(i, j):
        key = (min(i, j), max(i, j))
        if key not in middle:
            middle[key] = len(vertices)
            vertices.append(tuple((a + b) / 2 for a, b in zip(vertices[i], vertices[j])))
        return middle[key]

    split = []
    for a, b, c in faces:
        ab, bc, ca = between(a, b), between(b, c), between(c, a)
        split += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]

    lines = ["# a rock: split icosahedron with a smooth bump field"]
    for x, y, z in vertices:
        r = math.sqrt(x * x + y * y + z * z)
        x, y, z = x / r, y / r, z / r
        size = 0.055 * (1 + 0.22 * math.sin(2.3 * x + 1) + 0.15 * math.cos(3.1 * y - 2 * z))
        lines.append(f"v {size * x:.6f} {1.2 * size * y:.6f} {0.8 * size * z:.6f}")
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in split]
    (HERE / "rock.obj").write_text("\n".join(lines) + "\n")


def prism(outline, hole, height):
    """Triangles of a prism with a hole; outline and hole have the same number of points, counter-clockwise."""
    n, z = len(outline), height / 2
    triangles = []
    for i in range(n):
        o0, o1, h0, h1 = outline[i], outline[(i + 1) % n], hole[i], hole[(i + 1) % n]
        up = lambda p: (p[0], p[1], z)
        down = lambda p: (p[0], p[1], -z)
        triangles += [(up(o0), up(o1), up(h1)), (up(o0), up(h1), up(h0)), (down(o0), down(h1), down(o1)),
                      (down(o0), down(h0), down(h1)), (down(o0), down(o1), up(o1)), (down(o0), up(o1), up(o0)),
                      (down(h0), up(h1), down(h1)), (down(h0), up(h0), up(h1))]
    return triangles


def stl(path, triangles):
    data = b"binary STL".ljust(80, b" ") + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *p) for p in triangle) + b"\0\0"
    path.write_bytes(data)


def circle(n, radius, phase=0.0):
    angles = [2 * math.pi * i / n + phase for i in range(n)]
    return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]


def nut():
    """A hexagonal nut: twelve points outside (corners and flats), a round hole."""
    flat = 0.03
    outline = [(flat / math.cos(math.pi / 6) if i % 2 == 0 else flat) for i in range(12)]
    outer = [(r * math.cos(math.pi * i / 6), r * math.sin(math.pi * i / 6)) for i, r in enumerate(outline)]
    stl(HERE / "nut.stl", prism(outer, circle(12, 0.016), 0.024))


def cog():
    """A gear wheel of ten rounded teeth, as the surface that the signed distance field is made from."""
    n = 80
    radius = [0.1 + 0.016 * math.tanh(3 * math.cos(10 * 2 * math.pi * i / n)) for i in range(n)]
    outer = [(r * math.cos(2 * math.pi * i / n), r * math.sin(2 * math.pi * i / n)) for i, r in enumerate(radius)]
    stl(HERE / "cog.stl", prism(outer, circle(n, 0.03), 0.04))


def bracket():
    """An L-shaped bracket in the engine's own binary mesh format."""
    profile = [(0, 0), (0.08, 0), (0.08, 0.02), (0.02, 0.02), (0.02, 0.07), (0, 0.07)]
    n, half = len(profile), 0.02
    vertices = [(x, -half, z) for x, z in profile] + [(x, half, z) for x, z in profile]
    faces = [(0, i, i + 1) for i in range(1, n - 1)]
    faces += [(n + a, n + c, n + b) for a, b, c in faces]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, n + i, n + j), (i, n + j, j)]
    data = struct.pack("<4i", len(vertices), 0, 0, len(faces))
    data += b"".join(struct.pack("<3f", *v) for v in vertices) + b"".join(struct.pack("<3i", *f) for f in faces)
    (HERE / "bracket.msh").write_bytes(data)


def terrain():
    """Dunes as a grey image, a crater as the binary height-field format."""
    def dune(x, y):
        u, v = x / 63, y / 63
        h = 0.5 + 0.3 * math.sin(7 * u + 2 * math.sin(4 * v)) * math.cos(3 * v) + 0.2 * math.sin(11 * v - 3 * u)
        return (max(0, min(255, round(255 * h))),)

    png(HERE / "dunes.png", 64, 64, dune, channels=1)
    n = 33
    heights = []
    for r in range(n):
        for c in range(n):
            d = math.hypot(r - 16, c - 16) / 16
            heights.append(min(1.0, d * d) * math.exp(-max(0.0, d - 0.9) * 6))
    (HERE / "crater.bin").write_bytes(struct.pack("<2i", n, n) + struct.pack(f"<{n * n}f", *heights))


def textures():
    """A plate of rivets for the cube texture, and six squares with one to six pips for a die."""
    def rivets(x, y):
        d = math.hypot(x % 16 - 7.5, y % 16 - 7.5)
        return (150, 150, 155) if d < 3 else (95, 97, 100)

    png(HERE / "rivets.png", 64, 64, rivets)
    places = [(8, 8), (24, 24), (8, 24), (24, 8), (16, 16), (8, 16), (24, 16)]
    sets = {1: [4], 2: [0, 1], 3: [0, 1, 4], 4: [0, 1, 2, 3], 5: [0, 1, 2, 3, 4], 6: [0, 1, 2, 3, 5, 6]}
    for number, pips in sets.items():
        def face(x, y):
            inside = any(math.hypot(x - places[p][0], y - places[p][1]) < 4 for p in pips)
            return (20, 20, 20) if inside else (235, 232, 225)

        png(HERE / f"die_{number}.png", 32, 32, face)


def mug():
    """A cup of 8 x 9 cm with walls of 4 mm, and a handle: a bar of 12 x 8 mm bent along a path, stuck into the wall."""
    n, profile = 32, [(0.040, 0), (0.040, 0.090), (0.036, 0.090), (0.036, 0.005)]
    vertices, faces = [(0, 0, 0)], []
    for r, z in profile:
        vertices += [(r * math.cos(2 * math.pi * i / n), r * math.sin(2 * math.pi * i / n), z) for i in range(n)]
    inside = len(vertices)
    vertices.append((0, 0, 0.005))
    for i in range(n):
        j = (i + 1) % n
        faces += [(0, 1 + j, 1 + i), (inside, 1 + 3 * n + i, 1 + 3 * n + j)]
        for k in range(3):
            a, b, c, d = 1 + k * n + i, 1 + k * n + j, 1 + (k + 1) * n + j, 1 + (k + 1) * n + i
            faces += [(a, b, c), (a, c, d)]

    # sections of the handle halfway between the directions before and after
    path = [(0.037, 0.024), (0.056, 0.024), (0.066, 0.034), (0.066, 0.058), (0.056, 0.068), (0.037, 0.068)]
    ways = [(c - a, d - b) for (a, b), (c, d) in zip(path, path[1:])]
    ways = [(x / math.hypot(x, z), z / math.hypot(x, z)) for x, z in ways]
    first = len(vertices)
    for i, (x, z) in enumerate(path):
        before, after = ways[max(0, i - 1)], ways[min(i, len(ways) - 1)]
        length = math.hypot(before[0] + after[0], before[1] + after[1])
        tx, tz = (before[0] + after[0]) / length, (before[1] + after[1]) / length
        stretch = 0.004 / (tx * before[0] + tz * before[1])
        ox, oz = tz * stretch, -tx * stretch
        vertices += [(x + ox, -0.006, z + oz), (x + ox, 0.006, z + oz), (x - ox, 0.006, z - oz), (x - ox, -0.006, z - oz)]
    for i in range(len(path) - 1):
        a, b = first + 4 * i, first + 4 * i + 4
        for k in range(4):
            p = (k + 1) % 4
            faces += [(a + k, a + p, b + p), (a + k, b + p, b + k)]
    b = first + 4 * (len(path) - 1)
    faces += [(first, first + 2, first + 1), (first, first + 3, first + 2), (b, b + 1, b + 2), (b, b + 2, b + 3)]
    lines = ["# a mug: a cup and a handle that ends in its wall"]
    lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (HERE / "mug.obj").write_text("\n".join(lines) + "\n")


def link():
    """A ring of 6 cm, 12 mm thick: a link of a chain."""
    around, across = 24, 10
    lines = ["# a ring"]
    for i in range(around):
        a = 2 * math.pi * i / around
        for j in range(across):
            b = 2 * math.pi * j / across
            r = 0.024 + 0.006 * math.cos(b)
            lines.append(f"v {r * math.cos(a):.6f} {r * math.sin(a):.6f} {0.006 * math.sin(b):.6f}")
    for i in range(around):
        for j in range(across):
            k, n = (i + 1) % around, (j + 1) % across
            a, b, c, d = (x * across + y + 1 for x, y in ((i, j), (k, j), (k, n), (i, n)))
            lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
    (HERE / "link.obj").write_text("\n".join(lines) + "\n")


def block():
    """A block of 8 x 8 x 4 cm with a square hole of 2.04 cm through it."""
    outer, inner, lines = 0.04, 0.0102, ["# a block with a hole"]
    for z in (0, 0.04):
        for size in (outer, inner):
            lines += [f"v {sx * size:.6f} {sy * size:.6f} {z:.6f}" for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]

    # rows of corners: bottom outside and inside, top outside and inside
    for k in range(4):
        n = (k + 1) % 4
        quads = [(k, k + 4, n + 4, n), (k + 8, n + 8, n + 12, k + 12), (k, n, n + 8, k + 8), (n + 4, k + 4, k + 12, n + 12)]
        for a, b, c, d in quads:
            lines += [f"f {a + 1} {b + 1} {c + 1}", f"f {a + 1} {c + 1} {d + 1}"]
    (HERE / "block.obj").write_text("\n".join(lines) + "\n")


def thread(turns, clearance, opens):
    """A helix of 6 mm pitch around the z axis, from z = 0 on, as rows of points that end in circles: four points a turn
    along the axis, two in the root and two on the crest, 36 around. It runs out at both ends, into the root or, where it
    opens, into the crest of a nut. Returns the points and their faces, which look outwards."""
    around, pitch, root, depth = 36, 0.006, 0.008, 0.0015
    height, profile = turns * pitch, (0, 0, 1, 1)
    rows, points, index, faces = 4 * (turns + 1), [], {}, []

    def place(i, j):
        z = pitch * (j / 4 - 1 + (i % around) / around + (i // around))
        end = max(0.0, min(1.0, z / (pitch / 2), (height - z) / (pitch / 2)))
        crest = profile[j % 4]
        rise = 1 - (1 - crest) * end if opens else crest * end
        r, z, a = root + clearance + depth * rise, max(0.0, min(height, z)), 2 * math.pi * (i % around) / around
        key = f"{r * math.cos(a):.6f} {r * math.sin(a):.6f} {z:.6f}"
        if key not in index:
            index[key] = len(points)
            points.append(key)
        return index[key]

    for j in range(rows):
        for i in range(around):
            a, b, c, d = place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)
            faces += [f for f in ((a, b, c), (a, c, d)) if len(set(f)) == 3]
    low = [place(i, 0) for i in range(around)]
    high = [place(i, rows) for i in range(around)]
    return points, faces, low, high


def write_faces(name, comment, points, faces):
    lines = [f"# {comment}"] + [f"v {p}" for p in points] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (HERE / name).write_text("\n".join(lines) + "\n")


def threads():
    """A bolt of six turns, and a round nut of two with 0.25 mm to spare."""
    points, faces, low, high = thread(6, 0, False)
    n = len(low)
    points += ["0 0 0", "0 0 0.036"]
    for i in range(n):
        faces += [(len(points) - 2, low[(i + 1) % n], low[i]), (len(points) - 1, high[i], high[(i + 1) % n])]
    write_faces("bolt.obj", "a bolt", points, faces)
    points, faces, low, high = thread(2, 0.00025, True)
    faces = [(a, c, b) for a, b, c in faces]
    outer = len(points)
    for z in (0, 0.012):
        points += [f"{x:.6f} {y:.6f} {z:.6f}" for x, y in circle(n, 0.014)]
    for i in range(n):
        j, b, t = (i + 1) % n, outer, outer + n
        faces += [(b + i, b + j, t + j), (b + i, t + j, t + i), (low[i], low[j], b + j), (low[i], b + j, b + i),
                  (high[j], high[i], t + i), (high[j], t + i, t + j)]
    write_faces("ring_nut.obj", "a nut", points, faces)


if __name__ == "__main__":
    threads()
    rock()
    nut()
    cog()
    bracket()
    mug()
    link()
    block()
    terrain()
    textures()
