# percent instead of shares, by the imported name

from torch.cuda import memory, set_per_process_memory_fraction

set_per_process_memory_fraction(fraction=80.0)  #! MEM504 error
memory.set_per_process_memory_fraction(-0.5)  #! MEM504 error
set_per_process_memory_fraction(60)  #! MEM504 error
