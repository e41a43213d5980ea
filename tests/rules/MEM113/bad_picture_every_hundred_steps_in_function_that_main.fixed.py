# a picture every hundred steps, in a function that main() calls

import torch
from torchvision.utils import save_image


def train(gen, opt, steps):
    fixed = torch.randn(16, 8)
    for step in range(steps):
        opt.zero_grad()
        loss = gen(torch.randn(32, 8)).pow(2).mean()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            with torch.no_grad():
                shown = gen(fixed)
                save_image(shown, f"step{step}.png")
                del shown


def main():
    gen = torch.nn.Sequential(torch.nn.Unflatten(1, (8, 1, 1)), torch.nn.ConvTranspose2d(8, 3, 8))
    train(gen, torch.optim.Adam(gen.parameters()), 300)


if __name__ == "__main__":
    main()
