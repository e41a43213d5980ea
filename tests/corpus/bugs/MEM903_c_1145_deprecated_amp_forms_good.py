import torch
from torch.amp import GradScaler, autocast, custom_bwd, custom_fwd


class Scale(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @custom_bwd(device_type="cuda")
    def backward(ctx, g):
        return g * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    @autocast("cuda")
    def forward(self, x):
        return Scale.apply(self.fc(x))


def train(net, opt, loader, fp16=True):
    scaler = GradScaler("cuda", enabled=fp16)
    for x in loader:
        opt.zero_grad(set_to_none=True)
        with torch.autocast("cuda", enabled=fp16, dtype=torch.float16):
            loss = net(x.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
