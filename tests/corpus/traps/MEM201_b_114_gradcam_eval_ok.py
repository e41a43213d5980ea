import torch


class GradCAM:
    def __init__(self, model, layer):
        self.model = model.eval()
        layer.register_forward_hook(lambda m, i, o: setattr(self, "act", o))
        layer.register_full_backward_hook(lambda m, gi, go: setattr(self, "grad", go[0]))

    def __call__(self, x, cls):
        self.model.zero_grad()
        out = self.model(x)
        out[0, cls].backward()
        w = self.grad.mean((2, 3), keepdim=True)
        cam = torch.relu((w * self.act).sum(1))
        return (cam / cam.max()).detach().cpu()


def main(model, layer, val_loader):
    cam = GradCAM(model, layer)
    maps = []
    for x, y in val_loader:
        for i in range(len(x)):
            maps.append(cam(x[i:i + 1], int(y[i])))
    return torch.cat(maps)
