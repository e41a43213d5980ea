import numpy as np
import torch
import torch.nn as nn


def serve(path, frames):
    net = torch.jit.load(path).half().cuda()
    out = []
    with torch.inference_mode():
        for f in frames:
            out.append(net(torch.from_numpy(f).permute(2, 0, 1)[None].half().cuda() / 255).argmax(1).cpu())
    return out


def export(net):
    small = nn.Sequential(nn.Linear(4, 4)).half()
    torch.save(small.state_dict(), "half.pt")
    torch.save({k: v.half() for k, v in net.state_dict().items()}, "student_fp16.pt")


def frozen_text_encoder(text_encoder, unet, loader):
    text_encoder.to("cuda", dtype=torch.float16).requires_grad_(False)
    opt = torch.optim.AdamW(unet.parameters(), 1e-5)
    for img, ids in loader:
        with torch.no_grad():
            ctx = text_encoder(ids.cuda())[0].float()
        loss = (unet(img.cuda(), ctx) - img.cuda()).pow(2).mean()
        opt.zero_grad()  #? MEM122
        loss.backward()
        opt.step()


def check_gradients(fn):
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    return torch.autograd.gradcheck(fn, (x,))


def targets(prices):
    labels = np.array([1, 2, 3])
    y = torch.from_numpy(labels).cuda()
    x = torch.from_numpy(np.asarray(prices)).float().cuda()
    z = torch.tensor(np.random.randn(3), dtype=torch.float32).to("cuda")
    w = torch.as_tensor(np.linspace(0, 1, 5).astype("float32"), device="cuda")
    return x, y, z, w


def running_mean(losses):
    total = torch.zeros((), dtype=torch.float64)
    for v in losses:
        total += float(v)
    return total / len(losses)
