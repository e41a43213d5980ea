"""All spellings of the old mixed precision names in one file."""
import torch
from torch.cuda.amp import GradScaler, autocast, custom_bwd, custom_fwd


class Scale(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)  #! MEM903
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @custom_bwd  #! MEM903
    def backward(ctx, g):
        return g * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    @autocast()  #! MEM903
    def forward(self, x):
        return Scale.apply(self.fc(x))


def train(net, opt, loader, fp16=True):
    scaler = GradScaler(enabled=fp16)  #! MEM903
    amp_ctx = torch.cuda.amp.autocast(fp16, torch.float16)  #! MEM903
    for x in loader:
        opt.zero_grad(set_to_none=True)
        with amp_ctx:
            loss = net(x.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    with torch.cpu.amp.autocast(dtype=torch.bfloat16), torch.no_grad():  #! MEM903
        net.cpu()(torch.rand(1, 4))
