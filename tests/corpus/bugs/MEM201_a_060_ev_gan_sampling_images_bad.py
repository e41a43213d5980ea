import os
import torch
import torchvision.utils as vutils


class Sampler:
    def __init__(self, G, nz, outdir, device):
        self.G = G.to(device)
        self.nz = nz
        self.outdir = outdir
        self.device = device

    def generate(self, n_images=50000, batch_size=100):
        self.G.eval()
        os.makedirs(self.outdir, exist_ok=True)
        count = 0
        for _ in range(n_images // batch_size):
            z = torch.randn(batch_size, self.nz, 1, 1, device=self.device)
            imgs = self.G(z)  #! MEM201
            imgs = (imgs.clamp(-1, 1) + 1) / 2
            for img in imgs:
                vutils.save_image(img.detach(), os.path.join(self.outdir, '%06d.png' % count))
                count += 1


if __name__ == '__main__':
    from dcgan import Generator
    g = Generator()
    g.load_state_dict(torch.load('netG.pth'))  #! MEM701
    Sampler(g, 100, 'samples', 'cuda').generate()
