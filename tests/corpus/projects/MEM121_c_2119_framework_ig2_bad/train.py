import torch
from ignite.engine import Engine, Events
from steps import make_update

net = torch.nn.Linear(3, 3).cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
trainer = Engine(make_update(net, opt))  #= MEM121


@trainer.on(Events.ITERATION_COMPLETED)
def clean(e):
    torch.cuda.empty_cache()  #! MEM501


trainer.run(torch.utils.data.DataLoader(torch.load("d.pt"), batch_size=3, num_workers=2), max_epochs=3)
