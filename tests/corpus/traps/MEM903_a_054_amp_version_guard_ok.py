import torch
from packaging import version

if version.parse(torch.__version__) >= version.parse("2.4"):
    from torch.amp import GradScaler, autocast

    def make_scaler(enabled):
        return GradScaler("cuda", enabled=enabled)
else:
    from torch.cuda.amp import GradScaler, autocast

    def make_scaler(enabled):
        return GradScaler(enabled=enabled)


def train(model, loader, opt, fp16):
    scaler = make_scaler(fp16)
    for x, y in loader:
        opt.zero_grad(set_to_none=True)
        with autocast("cuda", enabled=fp16):
            loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
