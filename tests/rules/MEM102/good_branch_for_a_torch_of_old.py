# the other arm of a switch over versions runs the same under no_grad: this one is for torch 0.3

import torch
from torch import nn
from torch.autograd import Variable

IS_OLD = torch.__version__[:3] == "0.3"


class Net(nn.Module):
    def predict(self, loader):
        self.eval()
        found, targets = [], []
        for data, target in loader:
            if not IS_OLD:
                with torch.no_grad():
                    output = self(data.to("cuda")).cpu()
            else:
                data = Variable(data, volatile=True)
                output = self(data.to("cuda")).cpu()
            found.append(output)
            targets.append(target)
        return torch.cat(found), torch.cat(targets)
