import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from evaluation import collect

acc = Accelerator()
model = torch.nn.Linear(4, 1000)
opt = torch.optim.AdamW(model.parameters())
model, opt, dl = acc.prepare(model, opt, DataLoader(torch.load("d.pt"), batch_size=8, num_workers=2))
for x in dl:
    loss = model(x).pow(2).mean()
    acc.backward(loss)
    opt.step()
    opt.zero_grad()
    torch.cuda.empty_cache()  #! MEM501
print(collect(acc, model, dl).shape)
