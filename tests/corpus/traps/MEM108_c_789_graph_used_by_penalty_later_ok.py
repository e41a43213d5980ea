import torch


def sam(net, crit, opt, loader, rho):
    for x, y in loader:
        loss = crit(net(x), y)
        loss.backward(retain_graph=True)
        g = torch.autograd.grad(loss, net.head.weight)[0]
        opt.zero_grad()
        with torch.no_grad():
            net.head.weight.add_(rho * g / g.norm())
        crit(net(x), y).backward()
        opt.step()


def ntk(net, x, params):
    out = net(x).flatten()
    rows = []
    for i in range(len(out)):
        g = torch.autograd.grad(out[i], params, retain_graph=True)
        rows.append(torch.cat([v.flatten() for v in g]))
    return torch.stack(rows)


def per_loss(net, crits, loader, opt):
    for x, y in loader:
        out = net(x)
        norms = []
        for c in crits:
            opt.zero_grad()
            c(out, y).backward(retain_graph=True)
            norms.append(torch.nn.utils.clip_grad_norm_(net.parameters(), 1e9).item())
        opt.zero_grad()
        sum(c(out, y) for c in crits).backward()
        opt.step()
        print(norms)
