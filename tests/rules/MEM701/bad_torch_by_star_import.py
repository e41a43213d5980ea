# torch comes from a star import

from prelude import *

net = nn.LSTM(8, 8).cuda()
state = torch.load("net.pt")  #! MEM701
net.load_state_dict(state)
