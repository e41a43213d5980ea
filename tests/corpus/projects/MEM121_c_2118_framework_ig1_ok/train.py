import torch
from ignite.engine import Engine, Events
from steps import make_update, make_eval

net = torch.nn.Linear(3, 3).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
trainer = Engine(make_update(net, opt))
ev = Engine(make_eval(net))


@trainer.on(Events.EPOCH_COMPLETED)
def validate(e):
    ev.run(torch.utils.data.DataLoader(torch.load("v.pt"), batch_size=3, num_workers=2))


trainer.run(torch.utils.data.DataLoader(torch.load("d.pt"), batch_size=3, num_workers=2), max_epochs=3)
