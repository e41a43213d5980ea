import torch
import torch.nn.functional as F
from torch import optim


def train(model, train_loader, val_loader, epochs=30, lr=1e-3, w_cls=1.0, w_reg=0.5):
    optimizer = optim.Adam(model.parameters(), lr=lr)
    history = {'loss': [], 'cls': [], 'reg': []}
    best = float('inf')
    for ep in range(epochs):
        model.train()
        for i, (x, y_cls, y_reg) in enumerate(train_loader):
            x = x.cuda(); y_cls = y_cls.cuda(); y_reg = y_reg.cuda()
            out_cls, out_reg = model(x)
            l_cls = F.cross_entropy(out_cls, y_cls)
            l_reg = F.smooth_l1_loss(out_reg.squeeze(), y_reg)
            loss = w_cls * l_cls + w_reg * l_reg
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history['loss'].append(loss)  #! MEM102
            history['cls'].append(l_cls)  #! MEM102
            history['reg'].append(l_reg)  #! MEM102
            if (i + 1) % 20 == 0:
                print('[%d/%d] loss %.4f' % (ep, epochs, history['loss'][-1]))
        v = validate(model, val_loader)
        if v < best:
            best = v
            torch.save(model.state_dict(), 'best.pth')
    return history


@torch.no_grad()
def validate(model, loader):
    model.eval()
    tot, n = 0.0, 0
    for x, y_cls, y_reg in loader:
        out_cls, out_reg = model(x.cuda())
        tot += F.cross_entropy(out_cls, y_cls.cuda(), reduction='sum')
        n += len(x)
    return (tot / n).item()
