# A comprehension that clones the tensors copies them on the GPU, whatever it detaches first.

import torch


def fit(net, loader, rate):
    net = net.to("cuda")
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    lowest, best_state = float("inf"), None
    for epoch in range(40):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
            total += loss.item()
        if total < lowest:
            lowest = total
            best_state = {  #! MEM704 warning
                name: value.detach().clone()
                for name, value in net.state_dict().items()
            }
    if best_state is not None:
        net.load_state_dict(best_state)
    return net
