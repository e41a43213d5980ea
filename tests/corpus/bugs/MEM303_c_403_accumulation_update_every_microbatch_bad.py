import torch


def fit(net, opt, batches, accum_steps=4):
    scaler = torch.cuda.amp.GradScaler()  #? MEM903
    for i, (x, y) in enumerate(batches):
        with torch.cuda.amp.autocast():  #? MEM903
            loss = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()) / accum_steps
        scaler.scale(loss).backward()
        if (i + 1) % accum_steps == 0:
            scaler.step(opt)
            opt.zero_grad()
        scaler.update()  #! MEM303


if __name__ == "__main__":
    net = torch.nn.Linear(32, 5).cuda()
    fit(net, torch.optim.Adam(net.parameters()), [(torch.randn(4, 32), torch.randint(0, 5, (4,)))] * 8)
