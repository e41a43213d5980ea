import torch
from torch import nn


def grad_norm(parameters, kind=2.0):
    norms = [p.grad.detach().norm(kind) for p in parameters if p.grad is not None]
    return torch.norm(torch.stack(norms), kind)


class LossScaler:
    state_dict_key = "amp_scaler"

    def __init__(self):
        self._scaler = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, create_graph=False, update_grad=True):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if not update_grad:
            return None
        self._scaler.unscale_(optimizer)
        if clip_grad is not None:
            norm = nn.utils.clip_grad_norm_(parameters, clip_grad)
        else:
            norm = grad_norm(parameters)
        self._scaler.step(optimizer)
        self._scaler.update()
        return norm


net = nn.Linear(12, 12).cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
loss_scaler = LossScaler()
for step, x in enumerate(torch.randn(16, 4, 12, device="cuda")):
    with torch.autocast("cuda", torch.float16):
        loss = (net(x) - x).pow(2).mean() / 4
    loss_scaler(loss, opt, clip_grad=1.0, parameters=list(net.parameters()), update_grad=(step + 1) % 4 == 0)
    if (step + 1) % 4 == 0:
        opt.zero_grad()
