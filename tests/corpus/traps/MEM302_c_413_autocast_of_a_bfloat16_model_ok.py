import torch

model = torch.nn.Linear(32, 32).to("cuda", dtype=torch.bfloat16)
head = torch.nn.Linear(32, 2).cuda().bfloat16()
opt = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.1)  #? MEM301
with torch.autocast("cuda", dtype=torch.bfloat16):
    for x in torch.randn(20, 4, 32, device="cuda", dtype=torch.bfloat16):
        loss = head(model(x)).float().square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
