import torch
from packaging import version

if version.parse(torch.__version__) >= version.parse("2.4"):
    from torch.amp import GradScaler, autocast
    autocast_args = ("cuda",)
else:
    from torch.cuda.amp import GradScaler, autocast
    autocast_args = ()

try:
    from torch.amp import custom_fwd
except ImportError:
    from torch.cuda.amp import custom_fwd


def step(model, x, y, opt, scaler):
    with autocast(*autocast_args):
        loss = torch.nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
