import torch
from torch import nn, optim


class DARTS(nn.Module):
    def __init__(self, ops, c, n):
        super().__init__()
        self.ops = nn.ModuleList(ops)
        self.alpha = nn.Parameter(1e-3 * torch.randn(len(ops)))
        self.fc = nn.Linear(c, n)

    def forward(self, x):
        w = self.alpha.softmax(0)
        h = sum(wi * op(x) for wi, op in zip(w, self.ops))
        return self.fc(h.mean((2, 3)))

    def weights(self):
        return [p for n, p in self.named_parameters() if n != "alpha"]


def search(model, train_q, valid_q, epochs=50):
    crit = nn.CrossEntropyLoss()
    w_opt = optim.SGD(model.weights(), lr=0.025, momentum=0.9, weight_decay=3e-4)
    a_opt = optim.Adam([model.alpha], lr=3e-4, betas=(0.5, 0.999))
    sched = optim.lr_scheduler.CosineAnnealingLR(w_opt, epochs)
    trace = []
    for epoch in range(epochs):
        valid_iter = iter(valid_q)
        for x, y in train_q:
            try:
                vx, vy = next(valid_iter)
            except StopIteration:
                valid_iter = iter(valid_q)
                vx, vy = next(valid_iter)
            a_loss = crit(model(vx.cuda()), vy.cuda())
            a_loss.backward()  #! MEM121
            a_opt.step()
            w_loss = crit(model(x.cuda()), y.cuda())
            w_loss.backward()  #! MEM121
            nn.utils.clip_grad_norm_(model.weights(), 5)
            w_opt.step()
        sched.step()
        trace.append(model.alpha.softmax(0))  #? MEM102
        print(epoch, w_loss.item(), a_loss.item())
    return trace
