# Variable without volatile is a harmless alias

import torch
from torch.autograd import Variable

x = Variable(torch.randn(2, 2), requires_grad=True)
y = Variable(torch.randn(2, 2))
volatile = True
print(x + y, volatile)
