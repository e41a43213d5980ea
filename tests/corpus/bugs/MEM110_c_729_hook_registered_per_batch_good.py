import torch


def gradcam(model, layer, image, target):
    kept = {}

    def fwd(_, __, out):
        kept["a"] = out

    def bwd(_, gin, gout):
        kept["g"] = gout[0]

    handles = layer.register_forward_hook(fwd), layer.register_full_backward_hook(bwd)
    model(image)[:, target].sum().backward()
    for handle in handles:
        handle.remove()
    w = kept["g"].mean((2, 3), keepdim=True)
    return torch.relu((w * kept["a"]).sum(1)).detach().cpu()


def explain(model, loader, out):
    model.eval().cuda()
    for i, (image, target) in enumerate(loader):
        model.zero_grad()
        for k in range(len(image)):
            cam = gradcam(model, model.layer4[-1], image[k:k + 1].cuda(), int(target[k]))
            torch.save(cam, f"{out}/{i}_{k}.pt")
