import torch
import torch.nn as nn


def train(model, dataset, total_iters, log_every=100, device="cuda"):
    loader = torch.utils.data.DataLoader(dataset, batch_size=8, shuffle=True, num_workers=4, drop_last=True)
    data_iter = iter(loader)
    opt = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.99))
    l1 = nn.L1Loss()
    model.train()
    it = 0
    running = 0
    psnr = []
    while it < total_iters:
        try:
            lq, gt = next(data_iter)
        except StopIteration:
            data_iter = iter(loader)
            lq, gt = next(data_iter)
        lq, gt = lq.to(device), gt.to(device)
        sr = model(lq)
        loss = l1(sr, gt)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = running + loss.item()
        psnr.append(-10 * torch.log10(((sr.detach() - gt) ** 2).mean()).item())
        it += 1
        if it % log_every == 0:
            print(f"[{it}/{total_iters}] l1 {running / it:.5f} psnr {float(sum(psnr[-log_every:])) / log_every:.2f}")
        if it % 5000 == 0:
            torch.save({"iter": it, "state": model.state_dict()}, "sr_%d.pth" % it)
    return model


class SRNet(nn.Module):
    def __init__(self, nf=32, scale=2):
        super().__init__()
        self.head = nn.Conv2d(3, nf, 3, 1, 1)
        self.body = nn.Sequential(*[nn.Conv2d(nf, nf, 3, 1, 1) for _ in range(4)])
        self.tail = nn.Sequential(nn.Conv2d(nf, 3 * scale ** 2, 3, 1, 1), nn.PixelShuffle(scale))

    def forward(self, x):
        h = self.head(x)
        return self.tail(h + self.body(h))
