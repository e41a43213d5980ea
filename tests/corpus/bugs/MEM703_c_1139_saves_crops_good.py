import sys
from pathlib import Path

import torch
from torchvision.io import read_image


def export(path, out):
    out = Path(out)
    img = read_image(path)
    torch.save(img[:, :256, :256].clone(), out / "corner.pt")
    torch.save(img[:, :256, :256].float().contiguous() / 255, out / "corner_f.pt")
    torch.save(img, out / "all.pt")


def latents(vae, loader, out):
    vae = vae.cuda()
    with torch.no_grad():
        for i, x in enumerate(loader):
            z = vae(x.cuda())
            for j, row in enumerate(z):
                torch.save({"z": row.cpu(), "id": (i, j)}, f"{out}/{i}_{j}.pt")
    torch.save(vae.state_dict(), f"{out}/vae.pt")


if __name__ == "__main__":
    export(sys.argv[1], sys.argv[2])
