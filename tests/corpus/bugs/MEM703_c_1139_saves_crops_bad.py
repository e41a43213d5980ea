"""Each saved tile file is as large as the slide."""
import sys
from pathlib import Path

import torch
from torchvision.io import read_image


def tiles(path, size=256):
    img = read_image(path)
    c, h, w = img.shape
    for y in range(0, h - size, size):
        for x in range(0, w - size, size):
            yield y, x, img[:, y:y + size, x:x + size]


def export(path, out):
    out = Path(out)
    img = read_image(path)
    torch.save(img[:, :256, :256], out / "corner.pt")  #! MEM703
    for y, x, t in tiles(path):
        torch.save(t, out / f"{y}_{x}.pt")  #! MEM703


def latents(vae, loader, out):
    with torch.no_grad():
        for i, x in enumerate(loader):
            z = vae(x)
            for j, row in enumerate(z):
                torch.save({"z": row, "id": (i, j)}, f"{out}/{i}_{j}.pt")  #? MEM703


if __name__ == "__main__":
    export(sys.argv[1], sys.argv[2])
