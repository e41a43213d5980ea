# the steps are in another file; the call that starts them is here

from torch import nn

from yard import Runner, make

runner = Runner(make())
runner.net = nn.DataParallel(runner.net)  #! MEM601
for epoch in range(3):
    runner.train_epoch(epoch)
