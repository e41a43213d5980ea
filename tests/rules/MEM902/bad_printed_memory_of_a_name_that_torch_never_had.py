# a name that torch never had is printed: another one gives other numbers, and is only shown

import torch

model = torch.nn.Linear(3, 3).cuda()
for epoch in range(3):
    model(torch.zeros(8, 3, device="cuda"))
    print(torch.cuda.get_memory_info())  #! MEM902 error
