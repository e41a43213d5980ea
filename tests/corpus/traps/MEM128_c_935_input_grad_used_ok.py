"""FGSM, PGD, PINN, saliency, style transfer, DeepDream: the gradient of the input is read."""
import torch
import torch.nn.functional as F


def fgsm(net, x, y, eps):
    x.requires_grad = True
    loss = F.cross_entropy(net(x), y)
    net.zero_grad()
    loss.backward()
    return (x + eps * x.grad.data.sign()).clamp(0, 1)


def trades(model, x, y, opt, eps=0.03, alpha=0.007, steps=10):
    model.eval()
    adv = x.detach() + 0.001 * torch.randn_like(x)
    for _ in range(steps):
        adv.requires_grad_()
        with torch.enable_grad():
            kl = F.kl_div(F.log_softmax(model(adv), 1), F.softmax(model(x), 1), reduction="sum")
        g = torch.autograd.grad(kl, [adv])[0]
        adv = torch.min(torch.max(adv.detach() + alpha * g.sign(), x - eps), x + eps).clamp(0, 1)
    model.train()
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y) + 6 * F.kl_div(F.log_softmax(model(adv), 1), F.softmax(model(x), 1))
    loss.backward()
    opt.step()


def pinn(net, opt, n):
    for _ in range(n):
        t = torch.rand(100, 1, requires_grad=True)
        u = net(t)
        du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
        loss = (du + u).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def dream(net, img, lr=0.1):
    img = img.clone().requires_grad_(True)
    opt = torch.optim.LBFGS([img])

    def closure():
        opt.zero_grad()
        loss = -net(img).norm()
        loss.backward()
        return loss
    for _ in range(20):
        opt.step(closure)
    return img.detach()


def explain(model, ids):
    out = model(ids, output_attentions=True, output_hidden_states=True)
    att = torch.stack(out.attentions).mean(2)
    return att, out["hidden_states"][-1]
