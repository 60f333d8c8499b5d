void k(const float* x { x[ = 3 ; }
} void k(